import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A folder for n8n-core, which reads this from the environment when it is loaded.
const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'engine-of-the-tests';
process.env.N8N_LOG_LEVEL ??= 'silent';
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
