import { startBenchAgency } from './agency/process';
import { bareList } from './contenders/bare-list';
import { Floor } from './contenders/floor';
import { listByHttp, listByOurs } from './contenders/parameters';
import { runChain, type Step, stepMakers } from './in-process';
import { interleaved, median, ratios, shown, shownRatio, timed } from './measuring/measure';
import type { Bench } from './measuring/table';

const ROWS = 20_000;
const REQUESTS = 100;
const TOKEN = 'key';
const MOST = 1.15;

/** Return All over 20,000 documents, with all fields as the others give them, and Limit 1. */
export const lists: Bench = {
  name: 'lists',
  async run(setting) {
    const agency = await startBenchAgency();
    try {
      const { ours, http } = await stepMakers();
      const credential = { address: agency.url, token: TOKEN };
      const requests = new Set<number>();
      const byNode = async (step: Step, rows: number) => {
        await agency.reset();
        const { items, turn } = await runChain([step], credential, async () => [{ json: {} }]);
        if (items.length !== rows) throw new Error(`There came ${items.length} items instead of ${rows}.`);
        return turn;
      };
      const measured = await interleaved(
        {
          ours: async () => {
            const turn = await byNode(ours(listByOurs({ returnAll: true, output: 'all' })), ROWS);
            requests.add((await agency.counts()).requests);
            return turn;
          },
          // One item for each page: to get a row each, a Split Out node follows, which is not counted here.
          other: async () => await byNode(http(listByHttp(agency.url, TOKEN)), REQUESTS),
          helper: async () => await byNode(bareList(agency.url, TOKEN), ROWS),
          floor: async () =>
            await timed(async () => {
              const { length } = await new Floor(agency.url, TOKEN).list();
              if (length !== ROWS) throw new Error(`The floor read ${length} rows.`);
            }),
        },
        setting,
        ({ ours: turns, floor }) => ratios(turns, floor),
      );
      const reached = median(ratios(measured.ours, measured.floor));
      const beyondHelper = median(ratios(measured.ours, measured.helper));
      await byNode(ours(listByOurs({ limit: 1 })), 1);
      const one = await agency.counts();
      return [
        {
          work: 'Return All, 20,000 documents with all fields, in process',
          ours: shown(measured.ours, 'ms'),
          other: shown(measured.other, 'ms'),
          floor: shown(measured.floor, 'ms'),
          ratio: `${[...requests].join(', ')} requests, ${shownRatio(measured.ours, measured.floor)} of the floor, ${shownRatio(measured.ours, measured.helper)} of n8n's request helper alone`,
          target: `${REQUESTS} requests, at most ${MOST} of either`,
          met: [...requests].every((count) => count === REQUESTS) && reached <= MOST && beyondHelper <= MOST,
        },
        {
          work: 'Get Many, Limit 1',
          ours: `${one.requests} request of ${one.rows} row`,
          other: 'the same, if limit=1 is set',
          floor: '–',
          ratio: `${one.requests} request of ${one.rows} row`,
          target: '1 request of 1 row',
          met: one.requests === 1 && one.rows === 1,
        },
      ];
    } finally {
      await agency.stop();
    }
  },
};
