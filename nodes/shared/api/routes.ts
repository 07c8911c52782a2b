import type { BinaryHelperFunctions } from 'n8n-workflow';
import type { components, operations, paths } from './schema';

/** The records of the API, by the names of the spec. */
export type Schemas = components['schemas'];

type AnyOperation = operations[keyof operations];

/** The operations of one path of the contract, by route. A method that a path does not have is `never` there. */
type AtPath<P extends keyof paths> = {
  [
    M in keyof paths[P] as paths[P][M] extends never
      ? never
      : paths[P][M] extends AnyOperation
        ? `${Uppercase<M & string>} ${P}`
        : never
  ]: paths[P][M];
};

/** Method and path of an operation, as the contract has them, e.g. `GET /companies/{id}`. */
export type Route = { [P in keyof paths]: keyof AtPath<P> }[keyof paths];

type OperationOf<R extends Route> = {
  [P in keyof paths]: R extends keyof AtPath<P> ? AtPath<P>[R] : never;
}[keyof paths];

/** What a success of an operation holds, by media type. */
type Success<O> = O extends
  { responses: { 200: { content: infer C } } } | { responses: { 201: { content: infer C } } }
  ? C
  : object;

/** A stream of bytes as n8n's binary helpers give and take it. */
export type ByteStream = Awaited<ReturnType<BinaryHelperFunctions['getBinaryStream']>>;

/** The bytes of an upload. `open` is called anew for every attempt. */
export interface FileBody {
  open: () => Promise<Buffer | ByteStream>;
  /** Exact number of bytes. */
  length: number;
  mimeType: string;
}

/** What an operation is sent, besides its parameters. */
type Sent<O> = O extends { requestBody: { content: { 'application/json': infer B extends object } } }
  ? { body: B; file?: undefined }
  : O extends { requestBody: { content: { '*/*': unknown } } }
    ? { body?: undefined; file: FileBody }
    : { body?: undefined; file?: undefined };

type Parameters<O> = O extends { parameters: infer P } ? P : never;

/** The type of bytes of which nothing is known; as such the API serves every file. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Routes that are answered with bytes. */
export type BytesRoute = {
  [R in Route]: Success<OperationOf<R>> extends { [UNKNOWN_TYPE]: unknown } ? R : never;
}[Route];

/** Routes that are answered with JSON, or with nothing. */
export type JsonRoute = Exclude<Route, BytesRoute>;

type CallsOf<Some extends Route> = { [R in Some]: Parameters<OperationOf<R>> & Sent<OperationOf<R>> };
// An interface, since TypeScript would look into a mapped type for a route that it does not know yet, and mix them up.
interface Calls extends CallsOf<JsonRoute>, CallsOf<BytesRoute> {}

type Answers = {
  [R in JsonRoute]: Success<OperationOf<R>> extends { 'application/json': infer B extends object }
    ? B
    : Record<string, never>;
};

/** What a request of a route takes: the values in its path, query and headers, and its body or file. */
export type Call<R extends Route> = Calls[R];

/** What a request of any route takes; `Call` has the same for one route. */
export interface AnyCall {
  /** The values in the path. */
  path?: Record<string, string>;
  /** Parameters without a value are left out, here and in `header`. */
  query?: Record<string, string | number | boolean | undefined>;
  header?: Record<string, string | undefined>;
  /** Sent as JSON. */
  body?: object;
  file?: FileBody;
}

/** What a route answers. */
export type Answer<R extends JsonRoute> = Answers[R];
