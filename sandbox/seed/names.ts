type Words = readonly [string, ...string[]];

/** A list written as one text, with bars between its entries. */
function words(text: string): Words {
  const [first = '', ...others] = text.split('|').map((word) => word.trim());
  return [first, ...others];
}

/** What the companies of a country are called, and where they are. All made up from common words. */
export interface Country {
  code: string;
  names: Words;
  trades: Words;
  forms: Words;
  /** The legal name as that country's register writes it. */
  write(name: string, trade: string, form: string): string;
  streets: Words;
  cities: Words;
  people: Words;
  /** A registration code and a VAT code made from eight digits, in ranges that no register gives out. */
  registration(digits: string): string;
  vat(digits: string): string;
}

const estonia: Country = {
  code: 'EE',
  names:
    words(`Põhjarannik | 100% Villane | Ava_Uks | Läänetuul | Õunaaed | Žurnalist | Ülemjõgi | Männiku | Kõrvits |
    Härmalõng | Šokolaad | Rändrahn | Tõusulaine | Päikesekivi | Jäälind | Kuuvalgus |
    Sõnajalg | Metsavaim | Küünlakuu | Vikerkaar | Öölill | Tuulik | Rukkilill | Nõiakivi |
    Äikesepilv | Pärnaõis | Viljaait | Kivirähk | Linnutee | Kaldaäär`),
  trades: words(`Ehitus | Puidutööd | Transport | Kohvik | Raamatud | Konsult | Disain | Kinnisvara |
    Aiandus | Autoremont | Tarkvara | Köök | Energia | Mööbel | Hambaravi | Kalandus |
    Õmblus | Trükikoda | Elekter | Veod`),
  forms: words(`OÜ | OÜ | OÜ | OÜ | AS | MTÜ | FIE | TÜ`),
  write: (name, trade, form) =>
    trade === 'Kohvik' || trade === 'Köök' ? `${trade} "${name}" ${form}` : `${name} ${trade} ${form}`,
  streets: words(`Jõe | Pärna | Põllu | Väike-Ameerika | Šmidti | Kesk | Rüütli | Õie | Lembitu | Mäealuse`),
  cities: words(`10134 Tallinn | 51004 Tartu | 80010 Pärnu | 20308 Narva | 44310 Rakvere |
    93815 Kuressaare | 65608 Võru | 92412 Kärdla`),
  people: words(`Anu Tõnisson | Jüri Mägi | Žanna Petrova | Külli Õunpuu | Margus Šults | Piret Käär |
    Tõnu Sõber | Riina Laanemäe`),
  registration: (digits) => `2${digits.slice(1)}`,
  vat: (digits) => `EE2${digits}`,
};

const finland: Country = {
  code: 'FI',
  names: words(`Järvenranta | Tähtitaivas | Pöllö | Hämärä | Kesäyö | Mäntymetsä | Ääripää | Lumikenkä |
    Sähköjänis | Åminne`),
  trades: words(`Rakennus | Kuljetus | Kahvila | Ohjelmistot | Hieronta | Kalatukku | Sähkötyöt | Käsityöt`),
  forms: words(`Oy | Oy | Oy | Ky | Tmi`),
  write: (name, trade, form) => (form === 'Tmi' ? `${form} ${name} ${trade}` : `${name} ${trade} ${form}`),
  streets: words(`Mäkikatu | Satamakatu | Pyhäjärvenkatu | Hämeentie | Itäinen Pitkäkatu`),
  cities: words(`00530 Helsinki | 33100 Tampere | 20810 Turku | 53100 Lappeenranta | 40100 Jyväskylä`),
  people: words(`Päivi Hämäläinen | Yrjö Mäkelä | Åsa Lindström | Väinö Jääskeläinen | Sini Öhman`),
  registration: (digits) => `9${digits.slice(1, 7)}-${digits.slice(7)}`,
  vat: (digits) => `FI9${digits.slice(1)}`,
};

const latvia: Country = {
  code: 'LV',
  names: words(`Jūras Vējš | Zelta Ābele | Mežabele | Ziemeļu Zvaigzne | Šķērsiela | Žagatiņa | Čiekuri |
    Dzintara Ceļš`),
  trades: words(`būve | transports | kafejnīca | grāmatas | kokapstrāde | dārzi | programmatūra`),
  forms: words(`SIA | SIA | SIA | AS | IK`),
  write: (name, trade, form) => `${form} "${name} ${trade}"`,
  streets: words(`Brīvības iela | Ķīšezera iela | Kalēju iela | Jūrmalas gatve | Šķūņu iela`),
  cities: words(`Rīga, LV-1010 | Liepāja, LV-3401 | Cēsis, LV-4101 | Jēkabpils, LV-5201`),
  people: words(`Jānis Bērziņš | Līga Kļaviņa | Ēriks Šmits | Žanete Ozoliņa`),
  registration: (digits) => `902${digits}`,
  vat: (digits) => `LV902${digits}`,
};

const germany: Country = {
  code: 'DE',
  names: words(`Müller & Söhne | Nordlicht | Weißer Hirsch | Grüne Brücke | Löwenzahn | Süderelbe |
    Schöne Aussicht | Käpt’n Übermut`),
  trades: words(`Maschinenbau | Spedition | Bäckerei | Messgeräte | Gärtnerei | Schlüsseldienst | Möbelhaus`),
  forms: words(`GmbH | GmbH | GmbH & Co. KG | UG (haftungsbeschränkt) | e. K.`),
  write: (name, trade, form) => `${name} ${trade} ${form}`,
  streets: words(`Gießereiweg | Mühlenstraße | Am Weißen Tor | Königsallee | Große Bäckerstraße`),
  cities: words(`18055 Rostock | 20457 Hamburg | 24103 Kiel | 80331 München | 50667 Köln`),
  people: words(`Jürgen Weiß | Käthe Schröder | Björn Großmann | Annelöre Strauß`),
  registration: (digits) => `HRB 99${digits.slice(4)}`,
  vat: (digits) => `DE999${digits.slice(2)}`,
};

/** In the shares in which an Estonian agency meets them. */
export const COUNTRIES: readonly [Country, ...Country[]] = [
  estonia,
  finland,
  estonia,
  latvia,
  estonia,
  germany,
  estonia,
  estonia,
  finland,
  estonia,
];

/** The agency's accountants, by user id. */
export const ACCOUNTANTS = [
  'usr_kaire',
  'usr_merike',
  'usr_toomas',
  'usr_liina',
  'usr_vadim',
  'usr_sirje',
] as const;
