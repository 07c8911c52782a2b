/** Who sells, buys or pays in the example documents. All are made up; their register codes are in ranges that no register gives out. */
export interface Party {
  name: string;
  registrationCode: string;
  vatCode?: string;
  address: string;
  city: string;
  country: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  iban: string;
  email: string;
  /** The colour of its stationery: red, green, blue from 0 to 1. */
  accent: [number, number, number];
}

/** The companies on the documents, all made up. */
export const parties = {
  bakery: {
    name: 'Õunapuu Pagariäri OÜ',
    registrationCode: '24870113',
    vatCode: 'EE208701135',
    address: 'Jõe tänav 14',
    city: '51013 Tartu',
    country: 'Eesti',
    countryCode: 'EE',
    iban: 'EE79 9900 0011 2233 4455',
    email: 'pagar@ounapuu.example',
    accent: [0.72, 0.3, 0.1],
  },
  carpenter: {
    name: 'Männiku Puidutööd OÜ',
    registrationCode: '25330842',
    vatCode: 'EE203308421',
    address: 'Metsa põik 3a',
    city: '11620 Tallinn',
    country: 'Eesti',
    countryCode: 'EE',
    iban: 'EE04 9900 0077 0010 0203',
    email: 'arved@manniku.example',
    accent: [0.18, 0.38, 0.22],
  },
  cleaner: {
    name: 'Läikiv Šahh Puhastus AS',
    registrationCode: '23901877',
    address: 'Žiguli tee 9',
    city: '20306 Narva',
    country: 'Eesti',
    countryCode: 'EE',
    iban: 'EE55 9900 0031 9081 7261',
    email: 'info@sahh.example',
    accent: [0.1, 0.36, 0.58],
  },
  freight: {
    name: 'Saimaan Kuljetus Oy',
    registrationCode: '9140027-5',
    vatCode: 'FI91400275',
    address: 'Satamakatu 21',
    city: '53100 Lappeenranta',
    country: 'Suomi',
    countryCode: 'FI',
    iban: 'FI66 9900 0040 5566 77',
    email: 'laskut@saimaankuljetus.example',
    accent: [0.05, 0.27, 0.5],
  },
  machines: {
    name: 'Müller & Söhne Maschinenbau GmbH',
    registrationCode: 'HRB 990417',
    vatCode: 'DE999041722',
    address: 'Gießereiweg 8',
    city: '18055 Rostock',
    country: 'Deutschland',
    countryCode: 'DE',
    iban: 'DE40 9900 0000 0123 4567 89',
    email: 'buchhaltung@mueller-soehne.example',
    accent: [0.24, 0.24, 0.3],
  },
  hosting: {
    name: 'Ziemeļu Mākonis SIA',
    registrationCode: '90203114425',
    vatCode: 'LV90203114425',
    address: 'Brīvostas iela 17',
    city: 'LV-1045 Rīga',
    country: 'Latvija',
    countryCode: 'LV',
    iban: 'LV91 ZZZZ 0000 4350 1234 5',
    email: 'billing@makonis.example',
    accent: [0.36, 0.16, 0.46],
  },
} satisfies Record<string, Party>;
