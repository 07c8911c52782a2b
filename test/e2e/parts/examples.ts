import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../part';
import { N8N_2 } from '../variants';
import { agentTools } from './examples/agent-tools';
import { approvalOvernight } from './examples/approval-overnight';
import { sitDown } from './examples/desk';
import { documentPipeline } from './examples/document-pipeline';
import { feedCatchUp } from './examples/feed-catch-up';
import { guardedChange } from './examples/guarded-change';
import { monthEnd } from './examples/month-end';
import { onDocumentRead } from './examples/on-document-read';
import { onDocumentRecognized } from './examples/on-document-recognized';
import { webhookSecret } from './examples/webhook-secret';

/** Every workflow of `examples/` runs and gives what its notes say. */
export const examples: Part = {
  name: 'examples',
  on: [N8N_2],
  async run({ check, stage, undo }) {
    const folder = await mkdtemp(join(tmpdir(), 'agency-files-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const desk = await sitDown(await stage({ filesFolder: folder }), folder);
    await documentPipeline(desk, check, undo);
    await onDocumentRead(desk, check, undo);
    await onDocumentRecognized(desk, check, undo);
    await monthEnd(desk, check, undo);
    await guardedChange(desk, check, undo);
    await approvalOvernight(desk, check, undo);
    await feedCatchUp(desk, check, undo);
    await webhookSecret(desk, check, undo);
    await agentTools(desk, check, undo);
  },
};
