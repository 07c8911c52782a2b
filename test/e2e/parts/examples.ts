import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../part';
import { agentTools } from './examples/agent-tools';
import { type Check, sitDown, VERSION } from './examples/desk';
import { documentPipeline } from './examples/document-pipeline';
import { feedCatchUp } from './examples/feed-catch-up';
import { guardedChange } from './examples/guarded-change';
import { monthEnd } from './examples/month-end';
import { onDocumentRead } from './examples/on-document-read';
import { webhookSecret } from './examples/webhook-secret';

/** Every workflow of `examples/` runs and gives what its notes say. */
export const examples: Part = {
  name: 'examples',
  async run({ check, stage, undo }) {
    const folder = await mkdtemp(join(tmpdir(), 'agency-files-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const desk = await sitDown(await stage(VERSION, { filesFolder: folder }), folder);
    const look: Check = (what, held) => check(VERSION, what, held);
    await documentPipeline(desk, look, undo);
    await onDocumentRead(desk, look, undo);
    await monthEnd(desk, look, undo);
    await guardedChange(desk, look, undo);
    await feedCatchUp(desk, look, undo);
    await webhookSecret(desk, look, undo);
    await agentTools(desk, look, undo);
  },
};
