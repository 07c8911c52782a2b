import { testBinaryMode } from '../../support/binary-modes';

describe('Files in memory', () => testBinaryMode('default'));
