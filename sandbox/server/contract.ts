import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import type { ErrorObject } from 'ajv';
import {
  OpenAPIBackend,
  type Document as OpenApiDocument,
  type Operation,
  type Request,
} from 'openapi-backend';
import { parse } from 'yaml';
import { invalid } from './errors';
import type { Issue, Scope } from '../records';
import { SCOPES } from '../access/scopes';

/** Where the API's paths begin. */
export const API_ROOT = '/api/v1';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One operation of the contract, as the server needs it. */
export interface ContractOperation {
  operationId: string;
  method: Method;
  /** As Fastify wants it: `/api/v1/companies/:id`. */
  url: string;
  /** Names of the parameters in the path. */
  parameters: string[];
  scope: Scope;
  /** The body is a file: its bytes are not parsed. */
  takesBytes: boolean;
}

/** A request as it came, its JSON as text. */
export type RawRequest = Request & { query: Record<string, string | string[]> };

/** The parameters of a request that keeps to the contract, in the types that the contract has. */
export interface ValidRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** Alternatives that did not fit say less than what is wrong with the one that was meant. */
const ALTERNATIVES = new Set(['oneOf', 'anyOf']);

/** How many issues an answer lists. */
const MOST_ISSUES = 100;

const isOfBody = (error: ErrorObject): boolean =>
  error.instancePath.startsWith('/requestBody') || error.params.missingProperty === 'requestBody';

function issueOf(error: ErrorObject): Issue {
  if (error.params.missingProperty === 'requestBody') return { path: '', message: 'a JSON body is required' };
  const extra = error.params.additionalProperty ?? error.params.missingProperty;
  const [, ...path] = [
    ...error.instancePath.slice(1).split('/'),
    ...(extra === undefined ? [] : [String(extra)]),
  ];
  const words: Record<string, string> = {
    additionalProperties: 'is not allowed here',
    required: 'is required',
  };
  return { path: path.join('.'), message: words[error.keyword] ?? error.message ?? 'is not valid' };
}

function issuesOf(errors: ErrorObject[]): Issue[] {
  const told = errors.filter((error) => !ALTERNATIVES.has(error.keyword));
  const issues = (told.length ? told : errors).map(issueOf);
  return [...new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()].slice(
    0,
    MOST_ISSUES,
  );
}

/** Numbers that are not written in digits: Ajv takes `0x10`, `1e2` and ` 5` as well. */
const oddNumbers = (given: RawRequest['query'], read: Record<string, unknown>): Issue[] =>
  Object.keys(given)
    .filter((name) => typeof read[name] === 'number' && !/^\d+$/.test(String(given[name])))
    .map((path) => ({ path, message: 'must be written in digits' }));

/** The contract: what it says, and whether a request keeps to it. */
export class Contract {
  private static opened?: Promise<Contract>;
  private readonly byId: Map<string, Operation>;

  private constructor(
    private readonly backend: OpenAPIBackend,
    private readonly document: OpenApiDocument,
  ) {
    this.byId = new Map(
      backend.router.getOperations().map((operation) => [operation.operationId ?? '', operation]),
    );
  }

  /** Reads `openapi.yaml`, which stands in the folder above, once for all agencies that a process starts. */
  static async open(): Promise<Contract> {
    return await (Contract.opened ??= Contract.read());
  }

  private static async read(): Promise<Contract> {
    const document: OpenApiDocument = parse(readFileSync(join(__dirname, '../openapi.yaml'), 'utf8'));
    const backend = new OpenAPIBackend({
      definition: document,
      apiRoot: API_ROOT,
      ignoreTrailingSlashes: false,
      quick: true,
      coerceTypes: true,
      ajvOpts: { allErrors: true, strict: false, useDefaults: true },
      customizeAjv: (ajv) => addFormats(ajv),
    });
    await backend.init();
    return new Contract(backend, document);
  }

  operations(): ContractOperation[] {
    return [...this.byId].map(([operationId, operation]) => {
      const roles = (operation.security ?? []).flatMap((requirement) => Object.values(requirement).flat());
      const scope = SCOPES.find((known) => roles.includes(known));
      if (!scope) throw new Error(`${operationId} names no scope`);
      const body = operation.requestBody;
      return {
        operationId,
        method: operation.method as Method,
        url: `${API_ROOT}${operation.path.replace(/{(\w+)}/g, ':$1')}`,
        parameters: Array.from(operation.path.matchAll(/{(\w+)}/g), ([, name = '']) => name),
        scope,
        takesBytes: body !== undefined && 'content' in body && '*/*' in body.content,
      };
    });
  }

  /**
   * @returns The parameters, with numbers and booleans made of their texts, and defaults filled in.
   * @throws ApiError `VALIDATION_ERROR`: 400 for parameters and headers, 422 for a body.
   */
  validate(operationId: string, request: RawRequest): ValidRequest {
    const { errors, coerced } = this.backend.validator.validateRequest(request, this.byId.get(operationId));
    if (errors) throw invalid(issuesOf(errors), errors.every(isOfBody) ? 422 : 400);
    const query: Record<string, unknown> = { ...(coerced?.query as object) };
    const odd = oddNumbers(request.query, query);
    if (odd.length > 0) throw invalid(odd);
    return { params: { ...coerced?.params }, query };
  }

  /** The contract as it is served, for this address. */
  published(address: string): OpenApiDocument {
    return { ...this.document, servers: [{ url: `${address}${API_ROOT}` }] };
  }
}
