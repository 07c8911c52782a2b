import { testBinaryMode } from '../support/binaryModes';

describe('Files in memory', () => testBinaryMode('default'));
