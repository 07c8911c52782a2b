import { InputError } from '../../nodes/shared/input-error';
import { Halt } from '../n8n/halt';
import { driftOf, takesAway } from './drift';
import { knownContract, publishedContract } from './fetch';
import { report } from './report';

const USAGE = `Usage: npm run contract -- <address of the agency>

Says what the agency's published contract has else than sandbox/openapi.yaml, in what the nodes use.
Exit code 1: something that they use has gone; 2: the contracts could not be compared.`;

async function main([address]: string[]): Promise<number> {
  if (address === undefined) throw new Halt(USAGE);
  const drifts = driftOf(knownContract(), await publishedContract(address));
  console.log(report(drifts));
  return drifts.some(takesAway) ? 1 : 0;
}

/** What a person is to read; what nobody expected is shown whole. */
function wordsFor(error: unknown): unknown {
  if (error instanceof InputError) return `${error.message} ${error.description}`;
  return error instanceof Halt ? error.message : error;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(wordsFor(error));
    process.exitCode = 2;
  },
);
