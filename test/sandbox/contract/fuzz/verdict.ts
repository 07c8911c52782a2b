import { contractProblems } from '../../../support/sandbox/contract';
import type { WireAnswer, WireRequest } from '../../../support/sandbox/send';

const ID = /\b(?:cmp|doc|task|per)_[\w-]+/g;

/** The request as text, so that what it names itself does not count as shown. */
function said({ target, body }: WireRequest): string {
  return target + (body?.toString('utf8') ?? '');
}

/**
 * What is wrong with an answer; nothing when all is well.
 * @param isHidden Whether an id is one of a record that the caller may not see.
 */
export function faultOf(
  request: WireRequest,
  answer: WireAnswer,
  isHidden: (id: string) => boolean,
): string | undefined {
  const text = answer.body.toString('utf8');
  if (answer.status >= 500) return `answers ${answer.status}: ${text}`;
  const asked = said(request);
  const shown = (text.match(ID) ?? []).find((id) => isHidden(id) && !asked.includes(id));
  if (shown !== undefined) return `shows ${shown}, which belongs to another company`;
  const problems = problemsWith(request, answer);
  return problems.length === 0 ? undefined : problems.join('; ');
}

function problemsWith({ method, target }: WireRequest, { status, headers, body }: WireAnswer): string[] {
  // The answer to HEAD has no body by HTTP's own rule.
  if (method === 'HEAD') return [];
  const [path = ''] = target.split('?');
  const isJson = (headers.get('content-type') ?? '').startsWith('application/json');
  const json: unknown = isJson ? JSON.parse(body.toString('utf8')) : undefined;
  return contractProblems({ method, path, status, headers, body: json });
}
