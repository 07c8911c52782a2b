import { gzipSync } from 'node:zlib';
import type { Asked } from './forward';
import { jsonOfAnswer, type Reading, refusal, withJson } from './reading-proxy';

type Change = (value: unknown, name: string) => unknown;

/** Changes every value of a JSON body, from the inside out; `name` is the field that it is in. */
function everywhere(value: unknown, change: Change, name = ''): unknown {
  if (Array.isArray(value))
    return change(
      value.map((one) => everywhere(one, change, name)),
      name,
    );
  if (typeof value !== 'object' || value === null) return change(value, name);
  const fields = Object.entries(value).map(([key, one]) => [key, everywhere(one, change, key)]);
  return change(Object.fromEntries(fields), name);
}

/** Changes the body of every successful answer of JSON. */
const inBodies = (change: (body: unknown, asked: Asked) => unknown): Reading => ({
  answered(answer, asked) {
    const body = jsonOfAnswer(answer);
    return body === undefined || answer.status >= 300 ? answer : withJson(answer, change(body, asked));
  },
});

/** Changes every value in the body of every successful answer. */
export const inValues = (change: Change): Reading => inBodies((body) => everywhere(body, change));

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Specification, "Resources": the fields whose type has a `?`, but for what an answer is told by. */
const NULLABLE = new Set(
  `shortName registrationCode vatCode legalForm address directorName vatPeriod vatFrom vatTo employeesFrom employeesTo
  serviceStoppedFrom serviceStoppedReason export defaultValue accountingDocumentId destination duplicateOfDocumentId
  file documentId primaryAccountantUserId nextDueDate assigneeUserId completionSource completedAt description
  lastSuccessAt lastFailureAt nextAttemptAt lastStatusCode lastError deliveredAt`.split(/\s+/),
);
/** Texts without a bound: nothing says that they are not empty. An instruction has one where it is written. */
const MAYBE_EMPTY = new Set(
  `name originalFilename source mimeType sha256 markdown companyName statusLabel reason`.split(' '),
);
/** Choices, to which a later version may add others (specification, "Versioning" 4). */
const CHOICES = new Set(
  `vatPeriod stage destination status completionSource eventType type accountingSystemWritePolicy`.split(' '),
);

export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** The same time with an offset, without a fraction, or with six digits of one. */
const writtenOtherwise = (time: string, name: string): string => {
  const inSummer = new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '+02:00');
  const forms = [inSummer, time.replace(/\.\d+Z/, 'Z'), time.replace('Z', '123Z')];
  return forms[name.length % forms.length] ?? time;
};

const isId = (name: string): boolean => /(^id|Id)$/.test(name);

/** The agency's ids written in another way, in all that is asked and answered. */
function inIds(write: (id: string) => string, read: (id: string) => string): Reading {
  return {
    writeId: write,
    asked: (asked) => ({
      ...asked,
      path: asked.path
        .split('/')
        .map((step) => encodeURIComponent(read(decodeURIComponent(step))))
        .join('/'),
      query: new URLSearchParams(
        [...asked.query].map(([name, value]): [string, string] => [name, isId(name) ? read(value) : value]),
      ),
      body: asked.headers['content-type']?.startsWith('application/json')
        ? Buffer.from(
            JSON.stringify(
              everywhere(JSON.parse(asked.body.toString()), (value, name) =>
                typeof value === 'string' && isId(name) ? read(value) : value,
              ),
            ),
          )
        : asked.body,
    }),
    ...inValues((value, name) => (typeof value === 'string' && isId(name) ? write(value) : value)),
  };
}

/** Ids that begin with something else. */
const withPrefix = (prefix: string): Reading =>
  inIds(
    (id) => `${prefix}${id}`,
    (id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id),
  );

const EMPTY_OBJECT = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };

/** Changes a page of a list, and of the event feed. */
const inPages = (change: (page: Record<string, unknown>, asked: Asked) => unknown): Reading =>
  inBodies((body, asked) => (isObject(body) && Array.isArray(body.data) ? change(body, asked) : body));

const isFeed = ({ path }: Asked): boolean => path === '/events';

/** The cursors of lists and feed written in another way; `read` gives `undefined` for one that is refused. */
function inCursors(
  write: (cursor: string, asked: Asked) => string,
  read: (cursor: string, asked: Asked) => string | undefined,
): Reading {
  return {
    asked(asked) {
      const query = new URLSearchParams(asked.query);
      for (const name of ['cursor', 'after']) {
        const cursor = query.get(name);
        if (cursor === null) continue;
        const known = read(cursor, asked);
        if (known === undefined) return refusal(400, 'INVALID_CURSOR');
        query.set(name, known);
      }
      return { ...asked, query };
    },
    ...inPages((page, asked) =>
      typeof page.nextCursor === 'string' ? { ...page, nextCursor: write(page.nextCursor, asked) } : page,
    ),
  };
}

/** A page without rows comes before every page with rows, e.g. of records that the key may not see. */
const EMPTY = '-';
const emptyPages: Reading = {
  asked(asked) {
    const name = isFeed(asked) ? 'after' : 'cursor';
    const isList = asked.query.has('limit');
    const cursor = asked.query.get(name) ?? '';
    if (asked.method !== 'GET' || !isList) return asked;
    if (!cursor.startsWith(EMPTY)) {
      return withJson({ ...refusal(200, ''), status: 200 }, { data: [], nextCursor: `${EMPTY}${cursor}` });
    }
    const query = new URLSearchParams(asked.query);
    if (cursor === EMPTY) query.delete(name);
    else query.set(name, cursor.slice(EMPTY.length));
    return { ...asked, query };
  },
  // The feed's cursor stays when there is nothing new.
  ...inPages((page, asked) =>
    isFeed(asked) && Object(page.data).length === 0
      ? { ...page, nextCursor: asked.query.get('after') }
      : page,
  ),
};

/** Smaller pages than were asked for. */
export const shortPages: Reading = {
  asked(asked) {
    const query = new URLSearchParams(asked.query);
    const limit = Number(query.get('limit'));
    if (limit > 0) query.set('limit', String(Math.ceil(limit / 2)));
    return { ...asked, query };
  },
};

/** Where the feed has nothing new, it has no cursor either. */
export const feedWithoutEnd = inPages((page, asked) =>
  isFeed(asked) && Object(page.data).length === 0 ? { ...page, nextCursor: null } : page,
);

const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e\n]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What a real agency may do otherwise than the sandbox, by name. None of it is excluded by the specification. */
export const READINGS: Record<string, Reading> = {
  'objects hold fields that the specification does not name': inValues((value) =>
    isObject(value) ? { ...value, addedLater: { deep: [1] } } : value,
  ),
  'fields come in another order': inValues((value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
  ),
  'rows of a policy come in another order': inValues((value, name) =>
    name === 'fields' && Array.isArray(value) ? value.reverse() : value,
  ),
  'fields that may be null are null': inValues((value, name) => (NULLABLE.has(name) ? null : value)),
  'texts without a bound are empty': inValues((value, name) =>
    MAYBE_EMPTY.has(name) && typeof value === 'string' ? '' : value,
  ),
  'choices are new ones': inValues((value, name) =>
    CHOICES.has(name) && typeof value === 'string' ? 'added_later' : value,
  ),
  'times are written in other ways': inValues((value, name) =>
    typeof value === 'string' && TIME.test(value) ? writtenOtherwise(value, name) : value,
  ),
  'ids hold what a URL would take apart': withPrefix('ä/b?c=d&e#f%2F+ '),
  'ids have 200 characters': inIds(
    (id) => id.padEnd(200, '~'),
    (id) => id.replace(/~+$/, ''),
  ),
  'ids are digits': inIds(
    (id) => [...id].map((letter) => String(letter.charCodeAt(0)).padStart(3, '0')).join(''),
    (id) => (/^\d{12,}$/.test(id) ? id.replace(/\d{3}/g, (code) => String.fromCharCode(Number(code))) : id),
  ),
  'a success has another status': {
    answered(answer) {
      if (answer.status === 204) return { ...answer, ...EMPTY_OBJECT, status: 200 };
      const status = { 200: 201, 201: 200 }[answer.status] ?? answer.status;
      return { ...answer, status };
    },
  },
  'endpoints are answered with no more than is shown': inBodies((body, { path }) =>
    isObject(body) && 'url' in body && path.startsWith('/webhook-endpoints')
      ? { id: body.id, ...('secret' in body && { secret: body.secret }) }
      : body,
  ),
  'headers and JSON are spelled in other ways, and compressed': {
    answered(answer) {
      const json = jsonOfAnswer(answer);
      const type = json !== undefined && { 'content-type': 'application/vnd.agency+json' };
      const headers = Object.entries({ ...answer.headers, ...type, 'content-encoding': 'gzip' });
      return {
        ...answer,
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toUpperCase(), value])),
        body: gzipSync(json === undefined ? answer.body : escaped(JSON.stringify(json, null, 2))),
      };
    },
  },
};

/** The same for lists and the event feed. */
export const LIST_READINGS: Record<string, Reading> = {
  'the last page has no nextCursor': inPages(({ nextCursor, ...page }) =>
    nextCursor === null ? page : { ...page, nextCursor },
  ),
  'the last page has an empty nextCursor': inPages((page) => ({
    ...page,
    nextCursor: page.nextCursor ?? '',
  })),
  'pages are shorter than was asked for': shortPages,
  'pages without rows come in between': emptyPages,
  'a cursor has 500 characters, some of them odd': inCursors(
    (cursor) => `${cursor}+/=& ?`.padEnd(500, '='),
    (cursor) => cursor.split('+/=')[0],
  ),
  'a cursor holds for pages of its own size alone': inCursors(
    (cursor, { query }) => `${query.get('limit')}.${cursor}`,
    (cursor, { query }) => {
      const [size = '', ...rest] = cursor.split('.');
      return size === query.get('limit') ? rest.join('.') : undefined;
    },
  ),
  'the feed ends without a cursor': feedWithoutEnd,
};
