import { isRecord } from '../../nodes/shared/values/json';
import { Halt } from '../n8n/halt';
import type { Resolve } from './shape';
import { listOf, type Node, objectOf } from './values';

/** One operation of an OpenAPI document, with its parameters' and responses' references followed. */
export interface ApiOperation {
  id: string;
  /** E.g. `GET /companies/{id}`. */
  name: string;
  /** Method and whole path, whatever the names of its placeholders: the same in every description of the operation. */
  key: string;
  parameters: Node[];
  /** Media type -> schema; empty: no body. */
  body: ReadonlyMap<string, unknown>;
  /** Status -> response. */
  responses: ReadonlyMap<string, Node>;
  /** The scopes that the operation names. */
  scopes: string[];
}

/** An OpenAPI document, ready to be compared. */
export interface ApiDocument {
  operations: ApiOperation[];
  resolve: Resolve;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @throws Halt when the value is no OpenAPI document */
export function readDocument(value: unknown, source: string): ApiDocument {
  if (!isRecord(value) || typeof value.openapi !== 'string' || !isRecord(value.paths)) {
    throw new Halt(`${source} is not an OpenAPI description. Check the address of the agency.`);
  }
  const resolve: Resolve = (ref) =>
    ref
      .split('/')
      .slice(1)
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((part: unknown, step) => objectOf(part)[step], value);
  const follow = (part: unknown): Node => {
    const node = objectOf(part);
    return typeof node.$ref === 'string' ? follow(resolve(node.$ref)) : node;
  };
  const root = rootOf(value);
  const operations = Object.entries(value.paths).flatMap(([path, methods]) => {
    const { parameters: shared, ...rest } = follow(methods);
    return Object.entries(rest)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, part]) =>
        operationOf({ root, path, method, shared, operation: objectOf(part), document: value, follow }),
      );
  });
  return { operations, resolve };
}

/** The media types of a body or response, with their schemas. */
export const contentOf = (part: Node): Map<string, unknown> =>
  new Map(Object.entries(objectOf(part.content)).map(([type, media]) => [type, objectOf(media).schema]));

/** The path of the first server, below which all paths stand. */
function rootOf({ servers }: Node): string {
  const { url } = objectOf(listOf(servers)[0]);
  return typeof url === 'string' ? new URL(url, 'https://agency.example').pathname.replace(/\/+$/, '') : '';
}

function operationOf(part: {
  root: string;
  path: string;
  method: string;
  shared: unknown;
  operation: Node;
  document: Node;
  follow: (part: unknown) => Node;
}): ApiOperation {
  const { root, path, method, operation, document, follow } = part;
  const own = listOf(operation.parameters).map(follow);
  const shared = listOf(part.shared)
    .map(follow)
    .filter((one) => !own.some((other) => parameterKey(other) === parameterKey(one)));
  const scopes = listOf(operation.security ?? document.security).flatMap((requirement) =>
    Object.values(objectOf(requirement)).flat(),
  );
  const verb = method.toUpperCase();
  return {
    id: String(operation.operationId ?? ''),
    name: `${verb} ${path}`,
    key: `${verb} ${root}${path.replace(/{[^}]*}/g, '{}')}`,
    parameters: [...own, ...shared],
    body: contentOf(follow(operation.requestBody)),
    responses: new Map(
      Object.entries(objectOf(operation.responses)).map(([status, response]) => [status, follow(response)]),
    ),
    scopes: scopes.filter((scope) => typeof scope === 'string'),
  };
}

/** What makes a parameter this one: its place, and its name except for one in the path. */
export const parameterKey = ({ in: place, name }: Node): string =>
  place === 'path' ? 'path' : `${String(place)} ${String(name).toLowerCase()}`;
