import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../part';
import { startImapServer } from '../support/imap-server';
import { N8N_1, N8N_2 } from '../variants';
import { agentTools } from './examples/agent/agent-tools';
import { approvalOvernight } from './examples/approval-overnight';
import { dashboard, missingDocuments, nightlyCheck } from './examples/board';
import { sitDown, type Trial } from './examples/desk';
import { documentArchive, unreadableDocuments } from './examples/document-events';
import { documentPipeline } from './examples/document-pipeline';
import { eInvoices } from './examples/e-invoices';
import { feedCatchUp } from './examples/feed-catch-up';
import { guardedChange } from './examples/guarded-change';
import { monthEnd } from './examples/month-end';
import { monthEndReminders } from './examples/month-end-reminders';
import { onDocumentRead } from './examples/on-document-read';
import { onDocumentRecognized } from './examples/on-document-recognized';
import { webhookSecret } from './examples/webhook-secret';
import { zipFiles } from './examples/zip-files';

const TRIALS: Trial[] = [
  documentPipeline,
  zipFiles,
  onDocumentRead,
  unreadableDocuments,
  documentArchive,
  monthEnd,
  monthEndReminders,
  nightlyCheck,
  missingDocuments,
  webhookSecret,
  agentTools,
  dashboard,
  eInvoices,
  onDocumentRecognized,
  guardedChange,
  approvalOvernight,
  feedCatchUp,
];

/** Every workflow of `examples/` runs and gives what its notes say. */
export const examples: Part = {
  name: 'examples',
  on: [N8N_2, N8N_1],
  async run({ check, say, stage, undo }) {
    const folder = await mkdtemp(join(tmpdir(), 'agency-files-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const imap = await startImapServer(say, undo);
    const desk = await sitDown(await stage({ filesFolder: folder }), folder, imap);
    for (const trial of TRIALS) await trial(desk, check, undo);
  },
};
