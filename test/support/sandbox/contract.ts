import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readContract, resolve } from '../../../tools/contract';

/** A response as it is checked. */
export interface Checked {
  method: string;
  /** The path of the request, with `/api/v1`, without query. */
  path: string;
  status: number;
  headers: Headers;
  /** The parsed JSON body; undefined: none, or raw bytes. */
  body: unknown;
}

const document = readContract();
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(document, 'contract');

const ERROR = 'Error';

const escaped = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** The contract's path that a request's path is one of. */
function templateOf(path: string): string | undefined {
  return Object.keys(document.paths).find((template) =>
    new RegExp(`^/api/v1${template.replace(/{\w+}/g, '[^/]+')}$`).test(path),
  );
}

/** The name of the response that the contract has for this status. */
function responseName({ method, path, status }: Checked): string {
  const template = templateOf(path);
  const responses = template && document.paths[template]?.[method.toLowerCase()]?.responses;
  if (!responses) return ERROR;
  const { $ref = '' } = responses[String(status)] ?? responses.default ?? {};
  return $ref.slice('#/components/responses/'.length);
}

function problemsWithBody(name: string, type: string, body: unknown): string[] {
  const content = Object.keys(document.components.responses[name]?.content ?? {})[0];
  if (content === undefined) return body === undefined ? [] : ['has a body, and none is documented'];
  if (!type.startsWith(content)) return [`is ${type || 'of no type'} instead of ${content}`];
  if (content !== 'application/json') return [];
  return problemsAt(`responses/${name}/content/${escaped(content)}/schema`, body);
}

/** What in a value does not keep to the schema at this place of the contract's components. */
function problemsAt(place: string, value: unknown): string[] {
  const pointer = `contract#/components/${place}`;
  const validate = ajv.getSchema(pointer);
  if (!validate) throw new Error(`The contract has no ${pointer}`);
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** What in a record does not keep to the contract's schema of that name; empty: nothing. */
export function recordProblems(schema: string, record: unknown): string[] {
  return problemsAt(`schemas/${schema}`, record);
}

function missingHeaders(name: string, headers: Headers): string[] {
  return Object.entries(document.components.responses[name]?.headers ?? {})
    .filter(([header, part]) => resolve(part).required === true && !headers.get(header))
    .map(([header]) => `lacks the header ${header}`);
}

/** What in a response does not keep to the contract; empty: nothing. */
export function contractProblems(response: Checked): string[] {
  const name = responseName(response);
  const expectsError = response.status >= 400;
  if (expectsError !== (name === ERROR)) return [`has the undocumented status ${response.status}`];
  return [
    ...problemsWithBody(name, response.headers.get('content-type') ?? '', response.body),
    ...missingHeaders(name, response.headers),
  ];
}

/** The values of an enumeration of the contract. */
export const enumOf = (name: 'ErrorCode' | 'EventType'): string[] =>
  (document.components.schemas[name]?.enum ?? []).map(String);
