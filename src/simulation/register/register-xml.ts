/** The register's answers as XML in DataContract shape: capital names, members in alphabetical order, no prolog. */

const NAMESPACE = 'http://schemas.datacontract.org/2004/07/pmonsvc.Models.Protos';
const INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** Name of one element of each list. */
const MEMBERS: Readonly<Record<string, string>> = {
  Stations: 'GasStation',
  Products: 'GasProduct',
  Services: 'GasServiceCatalog',
  Points: 'Point',
  GasNetworks: 'GasNetwork',
  CatalogProducts: 'CatalogProduct',
  GasServices: 'GasServiceCatalog',
  UATs: 'UAT',
};

/** The body of an answer as XML below the given root element. */
export function answerXml(root: string, body: unknown): string {
  const instance = ` xmlns:i="${INSTANCE}"`;
  const content = children(root, body);
  return `<${root}${instance} xmlns="${NAMESPACE}">${content}</${root}>`;
}

/** An error as XML: WebAPI's own shape, outside the namespace. */
export function errorXml(error: object): string {
  return `<Error>${Object.entries(error)
    .map(([name, value]) => element(name, name, value))
    .join('')}</Error>`;
}

function children(owner: string, value: unknown): string {
  if (Array.isArray(value)) {
    const member = MEMBERS[owner] ?? 'Item';
    return value.map((item) => element(member, member, item)).join('');
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [capital(name), member] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => element(name, name === 'Items' ? owner : name, member))
      .join('');
  }
  return escaped(String(value));
}

function element(name: string, owner: string, value: unknown): string {
  return `<${name}>${children(owner, value)}</${name}>`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
