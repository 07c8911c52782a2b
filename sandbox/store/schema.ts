// Columns hold what is searched, sorted or joined by; `record` holds the whole record as JSON. Times are milliseconds.
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS accesses (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, agency TEXT NOT NULL, scopes TEXT NOT NULL, companies TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (
  hash TEXT PRIMARY KEY, id TEXT NOT NULL, accessId TEXT NOT NULL,
  expiresAt INTEGER, revokedAt INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS companies (
  id TEXT PRIMARY KEY, sortName TEXT NOT NULL, foldedName TEXT NOT NULL, shortName TEXT NOT NULL, registrationCode TEXT NOT NULL,
  vatCode TEXT NOT NULL, record TEXT NOT NULL, settings TEXT NOT NULL, playbook TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS companiesByName ON companies (sortName, id);
CREATE TABLE IF NOT EXISTS documents (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, companyId TEXT, stage TEXT NOT NULL,
  receivedAt INTEGER NOT NULL, ocrDueAt INTEGER, blob TEXT, content TEXT, record TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS documentsByDate ON documents (receivedAt, seq);
CREATE INDEX IF NOT EXISTS documentsByCompany ON documents (companyId, receivedAt, seq);
CREATE INDEX IF NOT EXISTS documentsByStage ON documents (stage, receivedAt, seq);
CREATE INDEX IF NOT EXISTS documentsByCompanyAndStage ON documents (companyId, stage, receivedAt, seq);
CREATE INDEX IF NOT EXISTS documentsToRead ON documents (ocrDueAt) WHERE ocrDueAt IS NOT NULL;
CREATE TABLE IF NOT EXISTS files (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, blob TEXT NOT NULL, documentId TEXT, expiresAt INTEGER NOT NULL,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS filesUnused ON files (expiresAt) WHERE documentId IS NULL;
CREATE TABLE IF NOT EXISTS periods (
  id TEXT PRIMARY KEY, companyId TEXT NOT NULL, period TEXT NOT NULL, record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS periodsByMonth ON periods (period, companyId);
CREATE TABLE IF NOT EXISTS tasks (
  id TEXT PRIMARY KEY, companyId TEXT NOT NULL, status TEXT NOT NULL, record TEXT NOT NULL, result TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, type TEXT NOT NULL, companyId TEXT,
  endpointId TEXT, record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS endpoints (
  id TEXT PRIMARY KEY, accessId TEXT NOT NULL, url TEXT NOT NULL, description TEXT, eventTypes TEXT NOT NULL,
  enabled INTEGER NOT NULL, secret TEXT NOT NULL, createdAt INTEGER NOT NULL, lastSuccessAt INTEGER,
  lastFailureAt INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, endpointId TEXT NOT NULL,
  eventSeq INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, nextAttemptAt INTEGER,
  sending INTEGER NOT NULL DEFAULT 0, lastStatusCode INTEGER, lastError TEXT, createdAt INTEGER NOT NULL,
  deliveredAt INTEGER
);
CREATE INDEX IF NOT EXISTS deliveriesByEndpoint ON deliveries (endpointId, id);
CREATE INDEX IF NOT EXISTS deliveriesDue ON deliveries (nextAttemptAt) WHERE status = 'pending' AND sending = 0;
CREATE TABLE IF NOT EXISTS approvals (
  id TEXT PRIMARY KEY, accessId TEXT NOT NULL, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
  operationId TEXT NOT NULL, companyId TEXT, reason TEXT NOT NULL, changes TEXT NOT NULL,
  createdAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL, decidedAt INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS idempotency (
  owner TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, reply TEXT NOT NULL, expiresAt INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotencyByExpiry ON idempotency (expiresAt);
`;
