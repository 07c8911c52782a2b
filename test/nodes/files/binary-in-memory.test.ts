import { testBinaryMode } from '../../support/action/binary-modes';

describe('Files in memory', () => testBinaryMode('default'));
