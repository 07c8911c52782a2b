import assert from 'node:assert/strict';
import { askAgency } from '../../../../tools/n8n/agency';
import { documentArrives } from '../../support/agency';
import { tableOf } from './data-table';
import { type Desk, importExample, runByHand, type Trial } from './desk';

const FILE = 'event-feed-catch-up.json';

/** The ids of all events of the type that the example reads, oldest first. */
async function feed({ stage: { agency } }: Desk): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const page = await askAgency<{ data: { id: string }[]; nextCursor: string | null }>(
      agency,
      `/events?type=document.ocr_completed&limit=200${after && `&after=${encodeURIComponent(after)}`}`,
    );
    if (page.data.length === 0 || !page.nextCursor) return ids;
    ids.push(...page.data.map(({ id }) => id));
    after = page.nextCursor;
  }
}

/** Lets three documents arrive and be read. */
async function newDocuments({ stage: { agency }, companies }: Desk): Promise<void> {
  for (const number of [1, 2, 3]) {
    await documentArrives(agency, companies[3]?.id ?? '', `arve-${number}.txt`);
  }
}

/** `event-feed-catch-up.json`. */
export const feedCatchUp: Trial = async (desk, check) => {
  const workflow = await importExample(desk, FILE, { change: await tableOf(desk, FILE) });
  const seen: string[] = [];
  const run = async (): Promise<string[]> => {
    const execution = await runByHand(desk, workflow);
    assert.equal(execution.status, 'success', execution.error);
    const ids = execution.items('Use the event').map(({ json }) => String(json['event']));
    seen.push(...ids);
    return ids;
  };
  await check('event-feed-catch-up: the first run reads the feed from its oldest event on', async () => {
    const all = await feed(desk);
    assert.ok(all.length > 200, 'the feed has several pages');
    assert.equal((await run()).join(), all.join());
  });
  await check('event-feed-catch-up: a run with nothing new repeats nothing', async () => {
    assert.deepEqual(await run(), []);
  });
  await check('event-feed-catch-up: later runs bring each new event once, without a gap', async () => {
    await newDocuments(desk);
    assert.equal((await run()).length, 3);
    await newDocuments(desk);
    assert.equal((await run()).length, 3);
    assert.equal(seen.join(), (await feed(desk)).join());
  });
};
