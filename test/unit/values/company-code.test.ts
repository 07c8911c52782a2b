import { searchesFor, withCode } from '../../../nodes/shared/values/company-code';

const company = (registrationCode: string | null, vatCode: string | null) => ({ registrationCode, vatCode });

test('searches a code as it was given, plain, and without its country letters', () => {
  expect(searchesFor('ee 101 234-567')).toEqual(['ee 101 234-567', 'EE101234567', '101234567']);
  expect(searchesFor('14876421')).toEqual(['14876421']);
  expect(searchesFor('14EE76')).toEqual(['14EE76']);
});

test.each(['EE101234567', 'ee 101 234 567', '101234567', ' 10.123.4567 ', 'EE-101234567'])(
  'finds a company by the VAT code %j, however it is written on either side',
  (code) => {
    for (const vatCode of ['EE101234567', 'EE 101 234 567', '101234567']) {
      const mine = company('14876421', vatCode);
      const others = [company(null, null), company('101234568', 'EE101234568'), company('', 'LV40003')];
      expect(withCode([...others, mine], code)).toEqual([mine]);
    }
  },
);

test('takes no part of a code, and no code of another country', () => {
  const companies = [company('1487642', 'EE10123456'), company('148764211', 'LV101234567')];
  expect(withCode(companies, 'EE101234567')).toEqual([]);
  expect(withCode(companies, '14876421')).toEqual([]);
});

test('an exact code goes before one that is the same but for its country letters', () => {
  const [one, two] = [company('101234567', null), company(null, 'EE101234567')];
  expect(withCode([one, two], '101234567')).toEqual([one]);
  expect(withCode([one, two], 'EE101234567')).toEqual([two]);
  expect(withCode([one, two, company('101 234 567', null)], '101234567')).toHaveLength(2);
});
