import { testBinaryMode } from '../../support/action/binary-modes';

describe('Files in memory', () => testBinaryMode('default'));

describe('Files in memory, in a workflow that keeps files in the JSON of an item', () =>
  testBinaryMode('default', { binaryMode: 'combined' }));
