import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { badParameter, htmlAnswer, jsonAnswer } from '../../../simulation/register/programmable-register.ts';
import { itemsBody } from '../../../simulation/register/register-rows.ts';
import { answerXml } from '../../../simulation/register/register-xml.ts';
import { sampleProductRow, sampleServiceRow, sampleStationRow } from '../../../simulation/register/sample-rows.ts';
import { TOO_MUCH_STRUCTURE } from './parse-json.ts';
import { parseReply, type RegisterReply } from './register-reply.ts';

const PLACE = { id: 'R1', network: 'PETROM', unit: 179132, lat: 44.43, lng: 26.1 };
const BODY = itemsBody(
  [sampleStationRow(PLACE, { name: 'Stația <1> & fiii' })],
  [sampleProductRow('R1', 'PETROM', 'petrol', '10.91')],
  [sampleServiceRow('R1', '1', 'Magazin')],
);

describe('an answer of the register', () => {
  test('has the same meaning in JSON and in XML', () => {
    const fromJson = parseReply(jsonAnswer(BODY));
    const fromXml = parseReply(body(answerXml('GasItems', BODY), 'application/xml'));
    assert.equal(fromJson.kind, 'items');
    assert.equal(fromXml.kind, 'items');
    const [jsonItems, xmlItems] = [itemsOf(fromJson), itemsOf(fromXml)];
    assert.deepEqual(pick(xmlItems.stations[0]), pick(jsonItems.stations[0]));
    assert.deepEqual(pick(xmlItems.products[0]), pick(jsonItems.products[0]));
    assert.deepEqual(pick(xmlItems.services[0]), pick(jsonItems.services[0]));
  });

  test('an empty envelope has no rows; absent and null lists are empty', () => {
    for (const empty of [itemsBody([], []), { Stations: [] }, { Products: null, Stations: null }]) {
      const items = itemsOf(parseReply(jsonAnswer(empty)));
      assert.deepEqual([items.stations, items.products], [[], []]);
    }
    const xml =
      '<GasItems xmlns="http://schemas.datacontract.org/2004/07/pmonsvc.Models.Protos"><Products/><Stations/></GasItems>';
    assert.deepEqual(itemsOf(parseReply(body(xml))).stations, []);
  });

  test('a bare empty list, a 500 and another status are distinguished', () => {
    assert.deepEqual(parseReply(jsonAnswer([])), { kind: 'empty-list' });
    assert.deepEqual(parseReply(badParameter()), { kind: 'no-such' });
    assert.deepEqual(parseReply(htmlAnswer(500)), { kind: 'no-such' });
    assert.deepEqual(parseReply(htmlAnswer(403)), { kind: 'http-error', status: 403 });
    assert.deepEqual(parseReply(body('')), { kind: 'wrong-shape', why: 'the body is not JSON: ' });
  });

  test('a byte order mark and a wrong media type do no harm', () => {
    assert.equal(parseReply(body(`\u{feff}${JSON.stringify(BODY)}`, 'text/html')).kind, 'items');
  });

  for (const [title, sent] of [
    ['HTML with status 200', htmlAnswer(200).body.toString()],
    ['HTML that happens to be well-formed', '<html><body/></html>'],
    ['a truncated body', JSON.stringify(BODY).slice(0, -20)],
    ['a truncated XML body', answerXml('GasItems', BODY).slice(0, -20)],
    ['a list with rows', JSON.stringify([BODY])],
    ['a text', '"Stations"'],
    ['null', 'null'],
    ['an object of another kind', '{"Message":"An error has occurred."}'],
    ['Stations that are no list', '{"Stations":{},"Products":[]}'],
    ['Products that are no list', '{"Stations":[],"Products":"none"}'],
  ] as const) {
    test(`${title} is a wrong shape`, () => assert.equal(parseReply(body(sent)).kind, 'wrong-shape'));
  }
});

describe('XML', () => {
  test('the minimal answer known from other clients is parsed', () => {
    const items = itemsOf(
      parseReply(
        body(
          '<GasItems xmlns="http://schemas.datacontract.org/2004/07/pmonsvc.Models.Protos"><Services/><Products><GasProduct><Name>P</Name><Price>10.91</Price><Stationid>R1</Stationid></GasProduct></Products><Stations><GasStation><Addr><Addrstring>Str. Test 1</Addrstring><Location><Lat>44.43</Lat><Lon>26.1</Lon></Location></Addr><Id>R1</Id><Name>Test</Name><Network><Name>PETROM</Name></Network><Updatedate>05/10/2026 08:00 </Updatedate></GasStation></Stations></GasItems>',
        ),
      ),
    );
    assert.deepEqual(items.products, [{ name: 'P', price: '10.91', stationid: 'R1' }]);
    assert.deepEqual(items.stations, [
      {
        addr: { addrstring: 'Str. Test 1', location: { Lat: '44.43', Lon: '26.1' } },
        id: 'R1',
        name: 'Test',
        network: { name: 'PETROM' },
        updatedate: '05/10/2026 08:00 ',
      },
    ]);
  });

  test('prefixes, indentation and empty fields are accepted', () => {
    const xml = `<p:GasItems xmlns:p="x">\n  <p:Stations>\n    <p:GasStation>\n <p:Id>R1</p:Id><p:Name i:nil="true" xmlns:i="y"/>\n</p:GasStation>\n  </p:Stations>\n</p:GasItems>`;
    assert.deepEqual(itemsOf(parseReply(body(xml))).stations, [{ id: 'R1', name: undefined }]);
  });

  test('references and bytes that XML forbids are dropped', () => {
    const dirty = answerXml('GasItems', BODY).replace('Stația', 'Sta&#x1C;&#28;&#xD800;&#x110000;\u0002\u007fția');
    assert.deepEqual(
      pick(itemsOf(parseReply(body(dirty))).stations[0]),
      pick(itemsOf(parseReply(jsonAnswer(BODY))).stations[0]),
    );
  });

  test('a document type, and so an entity bomb, is refused without parsing', () => {
    const bomb = `<!DOCTYPE GasItems [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><GasItems><Stations/></GasItems>`;
    assert.deepEqual(parseReply(body(bomb)), { kind: 'wrong-shape', why: 'a document type is not accepted in XML' });
    assert.equal(parseReply(body('<GasItems><Stations>&lol;</Stations></GasItems>')).kind, 'wrong-shape');
  });

  test('a page in place of the data is called one', () => {
    for (const page of ['<!DOCTYPE html><html><body>Mentenanță</body></html>', ' <html lang="ro"></html>'])
      assert.deepEqual(parseReply(body(page)), { kind: 'wrong-shape', why: 'an HTML page' });
  });

  test('a very deep document is refused and does not crash', () => {
    const deep = `<GasItems>${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</GasItems>`;
    assert.equal(parseReply(body(deep)).kind, 'wrong-shape');
  });

  test('line breaks of Windows are accepted between elements, and refused by the ten thousand', () => {
    const lines =
      '<GasItems>\r\n<Stations>\r\n<GasStation>\r\n<Id>R1</Id>\r\n</GasStation>\r\n</Stations>\r\n</GasItems>';
    assert.deepEqual(itemsOf(parseReply(body(lines))).stations, [{ id: 'R1' }]);
    const bomb = lines.replace('R1', 'R1\r\n'.repeat(30_000));
    assert.deepEqual(parseReply(body(bomb)), { kind: 'wrong-shape', why: TOO_MUCH_STRUCTURE });
  });

  test('an element named like an object’s internal property is an ordinary name', () => {
    const items = itemsOf(parseReply(body('<GasItems><__proto__><Stations/></__proto__><Products/></GasItems>')));
    assert.deepEqual(items.products, []);
  });
});

function body(text: string, contentType = 'application/json') {
  return { status: 200, contentType, body: Buffer.from(text) };
}

function itemsOf(reply: RegisterReply) {
  assert.ok(reply.kind === 'items', JSON.stringify(reply));
  return reply.items;
}

/** What the two formats have in common: texts, without the logos that one has as `{}` and the other not at all. */
function pick(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : String(value);
  const entries = Object.entries(value).filter(([name]) => name !== 'logo');
  return Object.fromEntries(entries.map(([name, inner]) => [name, pick(inner)]));
}
