import type { SpecRow } from './rows';

/** A test: its file below `test/`, and its title. */
type HoldingTest = [file: string, title: string];

const fuzz: HoldingTest = [
  'sandbox/contract/fuzz.test.ts',
  'are all answered by the contract: no 500, no hang, nothing of another company',
];
const companies = (title: string): HoldingTest => ['sandbox/resources/companies.test.ts', title];
const settings = (title: string): HoldingTest => ['sandbox/resources/settings.test.ts', title];
const playbook = (title: string): HoldingTest => ['sandbox/resources/playbook.test.ts', title];
const documents = (title: string): HoldingTest => ['sandbox/resources/documents.test.ts', title];
const files = (title: string): HoldingTest => ['sandbox/resources/files.test.ts', title];
const board = (title: string): HoldingTest => ['sandbox/resources/board.test.ts', title];
const events = (title: string): HoldingTest => ['sandbox/resources/events.test.ts', title];
const access = (title: string): HoldingTest => ['sandbox/server/access.test.ts', title];
const protocol = (title: string): HoldingTest => ['sandbox/server/protocol.test.ts', title];
const idempotency = (title: string): HoldingTest => ['sandbox/server/idempotency.test.ts', title];
const control = (title: string): HoldingTest => ['sandbox/control/control.test.ts', title];
const endpoints = (title: string): HoldingTest => ['sandbox/resources/webhook-endpoints.test.ts', title];
const deliveries = (title: string): HoldingTest => ['sandbox/resources/webhook-deliveries.test.ts', title];

/** Which tests hold each row of the specification's tables. */
export const HELD_BY: Record<SpecRow, HoldingTest[]> = {
  'companies.list GET /companies': [
    companies('holds every company once, by the code points of the lower-cased name'),
    companies('finds by every name and code, whatever the case, also beyond ASCII'),
  ],
  'companies.get GET /companies/{id}': [companies('is read by its id')],
  'companies.update PATCH /companies/{id}': [
    companies('changes what is given, clears what is null, and is announced once'),
    companies('as a dry run tells what would change, and saves nothing'),
  ],
  'companySettings.get GET /companies/{id}/settings': [
    settings('replace export and accounting policy whole, leave the rest, and are announced'),
  ],
  'companySettings.update PATCH /companies/{id}/settings': [
    settings('replace export and accounting policy whole, leave the rest, and are announced'),
    settings('as a dry run show the same and save nothing'),
    settings('needs an approval, and happens once with it'),
  ],
  'companyPlaybook.get GET /companies/{id}/playbook': [playbook('a read carries the version as ETag')],
  'companyPlaybook.replace PUT /companies/{id}/playbook': [
    playbook('it is replaced when If-Match names its version %s'),
    playbook('rules that are not given stay'),
  ],
  'documents.list GET /documents': [
    documents('holds every document once, newest first'),
    documents('by the stage %s holds those of that stage'),
    documents('by time has an inclusive start and an exclusive end'),
  ],
  'documents.create POST /documents': [files('makes a document of a file, once')],
  'documents.get GET /documents/{id}': [files('makes a document of a file, once')],
  'documents.content GET /documents/{id}/content': [
    documents('the original of a document of the seed is what its record says'),
  ],
  'files.create POST /files': [files('takes the bytes of the type %s as they are')],
  'files.get GET /files/{id}': [files('a file is seen only by the key that uploaded it')],
  'files.content GET /files/{id}/content': [files('takes the bytes of the type %s as they are')],
  'companyPeriods.list GET /company-periods': [
    board('has one entry for each company, in the order of their names'),
    board('filters by the status %s'),
    board('filters by company and by assignee'),
  ],
  'submitResult POST /tasks/{id}/result': [
    board('takes one result, with whatever fields its template has, and is announced'),
  ],
  'events.list GET /events': [
    events('the feed holds every event once, oldest first'),
    events('its cursor points past the newest event returned, and stays while nothing is new'),
  ],
  'POST /webhook-endpoints': [endpoints('is created with a secret of 32 bytes, which is shown once')],
  'POST /webhook-endpoints/{id}/test': [
    endpoints('sends webhook.test to this endpoint only, and tells how the address answered'),
  ],
  'GET /webhook-endpoints/{id}/deliveries': [endpoints('deliveries are listed page by page, newest first')],
  'PATCH /webhook-endpoints/{id}': [
    deliveries('wait while the endpoint is paused; what happens then is not sent later'),
  ],
  'DELETE /webhook-endpoints/{id}': [endpoints('is gone after its removal')],

  Requests: [protocol('answers 429 with Retry-After: 60, for this key alone, until the minute is over')],
  'Page size': [
    companies('has pages of 50 unless a limit says otherwise'),
    companies('refuses the limit "%s"'),
  ],
  'Cursor length': [companies('has at most 500 characters')],
  'File size': [
    files('is taken'),
    files('and a byte, announced, is refused without reading'),
    files('and a byte, not announced, is refused when it comes'),
  ],
  'Unused file lifetime': [files('comes too late after a day; a file that was filed stays')],
  'Idempotency-Key length': [idempotency('a key has 1 to 200 characters')],
  'Idempotency-Key validity': [idempotency('a key is valid for 24 hours')],
  'Approval validity': [
    settings('is approved for a day'),
    settings('needs an approval, and happens once with it'),
  ],
  'Text search `query`': [companies('takes a query of 1 to 200 characters')],
  'Id parameters': [companies('with the id %s answers %i')],
  Filename: [files('refuses the name %s'), files('is refused with %s')],
  'Playbook markdown': [
    playbook('takes 200000 characters beyond ASCII, and an instruction of 500'),
    playbook('is refused with %s'),
  ],
  'Visual review instruction': [
    playbook('takes 200000 characters beyond ASCII, and an instruction of 500'),
    playbook('is refused with %s'),
  ],
  'Company text fields': [companies('with %s')],
  'Webhook answer time': [deliveries('fails when the address does not answer within 10 seconds')],
  'Webhook retry schedule': [
    deliveries('come after 1, 5 and 30 minutes, 2, 6, 12 and 24 hours, and then it is failed'),
  ],
  'Timestamp tolerance advised to receivers': [
    ['unit/trigger/signed-call.test.ts', 'a genuine signature that is %s'],
  ],

  '400 or 422 VALIDATION_ERROR': [companies('names every issue at once'), fuzz],
  '400 INVALID_CURSOR': [companies('is refused %s'), events('its cursor is refused with %s')],
  '401 INVALID_API_KEY': [
    access('given as %s is not valid'),
    access('expires by the clock'),
    access('signed by somebody else, or altered, is not valid'),
  ],
  '403 INSUFFICIENT_SCOPE': [
    access('the scope %s is needed, and enough, for %j'),
    access('the key "readonly" may read, and nothing else'),
  ],
  '403 COMPANY_ACCESS_DENIED': [
    access('a key for one company finds nothing of others'),
    files('is not done for a company that does not exist, or is out of reach'),
  ],
  '403 FORBIDDEN': [
    [
      'sandbox/server/loopback.test.ts',
      'a control route answers who is not of this machine with the code FORBIDDEN',
    ],
  ],
  '403 FEATURE_NOT_INCLUDED': [access("without the feature in the agency's plan nothing is answered")],
  '403 APPROVAL_REQUIRED': [settings('needs an approval, and happens once with it')],
  '403 APPROVAL_PENDING': [settings('asked for again while it waits is the same approval')],
  '403 APPROVAL_REJECTED': [settings('that was rejected stays so')],
  '404 NOT_FOUND': [
    access('a key for one company finds nothing of others'),
    companies('with the id %s answers %i'),
    board('of a company out of reach, or that does not exist, is not found'),
  ],
  '405 METHOD_NOT_ALLOWED': [
    protocol('DELETE %s answers %i'),
    protocol('%s %s is another method'),
    protocol('the path %s of the sandbox itself knows %s, and says so to others'),
  ],
  '409 IDEMPOTENCY_KEY_IN_USE': [idempotency('of two copies at once one runs, and the other is told so')],
  '409 CONFLICT': [files('makes a document of a file, once'), board('takes one result, also when two race')],
  '412 PRECONDITION_FAILED': [playbook('If-Match %s is another version: 412')],
  '413 PAYLOAD_TOO_LARGE': [files('and a byte, announced, is refused without reading')],
  '415 UNSUPPORTED_MEDIA_TYPE': [files('refuses a program: %s as %s')],
  '422 IDEMPOTENCY_KEY_REUSED': [
    idempotency('a key is refused with %s'),
    idempotency('a key is refused at another path or operation'),
  ],
  '428 PRECONDITION_REQUIRED': [playbook('without If-Match: 428')],
  '429 RATE_LIMITED': [
    protocol('answers 429 with Retry-After: 60, for this key alone, until the minute is over'),
  ],
  '500 INTERNAL_ERROR': [control('are cleared by an empty list')],
  '503 STORAGE_UNAVAILABLE': [
    ['sandbox/data/storage.test.ts', 'a file that cannot be stored is answered 503, and can be sent again'],
  ],
  'Idempotency rule 1: a repeat returns the first result': [
    idempotency('a repeat returns the first result and does nothing again'),
    idempotency('a repeat of an upload is told by its bytes'),
    idempotency('any number of repeats of %s that is done are answered at once'),
  ],
  'Idempotency rule 2: valid 24 hours, only successes stored': [
    idempotency('a key is valid for 24 hours'),
    idempotency('a failed request may be repeated with the same key'),
  ],
  'Idempotency rule 3: a repeat while the first runs': [
    idempotency('of two copies at once one runs, and the other is told so'),
  ],
  'Idempotency rule 4: the same key on a different request': [
    idempotency('its key is refused with %s'),
    idempotency('the key of an upload is refused with what cannot be the same file'),
    idempotency('a key is refused with %s'),
    idempotency('a key is refused at another path or operation'),
  ],

  'Document stage: (none) -> inbox': [
    files('makes a document of a file, once'),
    documents('is announced, and read after about 2 seconds'),
  ],
  'Obligation status: a change emits obligation.updated': [
    board('of status or assignee is announced, one that changes nothing is not'),
  ],
  'Company period status: derived from its obligations': [
    board('derives counts, status and next due date from the obligations'),
    board('becomes overdue by the clock, the day after the due date'),
  ],
  'Task: takes exactly one result, which emits task.completed': [
    board('takes one result, with whatever fields its template has, and is announced'),
    board('takes one result, also when two race'),
  ],
  'Webhook delivery: (new) -> pending': [deliveries('is made only for the types that the endpoint selects')],
  'Webhook delivery: pending -> succeeded': [
    deliveries('carries the event, signed after Standard Webhooks, with the real time'),
    deliveries('end with the first success'),
  ],
  'Webhook delivery: pending -> pending, next attempt scheduled': [
    deliveries('fails when the address answers %i, and redirects are not followed'),
    deliveries('fails when the address does not answer within 10 seconds'),
  ],
  'Webhook delivery: pending -> failed': [
    deliveries('come after 1, 5 and 30 minutes, 2, 6, 12 and 24 hours, and then it is failed'),
  ],
  'Approval: (new) -> pending': [settings('needs an approval, and happens once with it')],
  'Approval: pending -> approved': [settings('needs an approval, and happens once with it')],
  'Approval: approved -> used': [
    settings('needs an approval, and happens once with it'),
    settings('happens once, also when two requests with its approval race'),
    settings('that was approved is made though %s has changed in between'),
  ],
};
