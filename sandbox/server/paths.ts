import { type FastifyRequest, type RouteOptions } from 'fastify';

/** The address before the path, as a proxy is told it. */
const AUTHORITY = /^https?:\/\/[^/?#]*/i;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (reason) {
    if (reason instanceof URIError) return undefined;
    throw reason;
  }
}

const withoutQuery = (target: string): string => target.split('?')[0] ?? '';

/**
 * A request target with its path encoded in one way, so that all who read it read the same. A part that
 * cannot be decoded stands for itself: it is refused like other parameters that do not fit.
 */
export function canonicalTarget(sent: string): string {
  const target = sent.replace(AUTHORITY, '');
  const path = withoutQuery(target);
  const parts = path.split('/').map((part) => encodeURIComponent(decoded(part) ?? part));
  return parts.join('/') + target.slice(path.length);
}

/** The path of a request in its one encoding. */
export const pathOf = ({ url }: FastifyRequest): string => withoutQuery(url);

/** The path of a request as it was sent. */
export const sentPathOf = ({ originalUrl }: FastifyRequest): string =>
  withoutQuery(originalUrl.replace(AUTHORITY, ''));

/** Whether the parameters in a request's path can be decoded. */
export const hasReadablePath = (request: FastifyRequest): boolean =>
  decoded(sentPathOf(request)) !== undefined;

/** The paths that the server knows, with their methods. */
export class KnownPaths {
  private readonly routes: { parts: string[]; methods: string[] }[] = [];

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    this.routes.push({ parts: url.split('/'), methods: [method].flat() });
  }

  /** The methods of a path, upper case; empty for an unknown one. */
  methodsOf(path: string): string[] {
    const parts = path.split('/');
    return this.routes.filter((route) => fits(route.parts, parts)).flatMap(({ methods }) => methods);
  }
}

const fits = (pattern: string[], parts: string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]));
