/** The address that the examples of the clients name. */
const ADDRESS = 'https://pompa.example.ro';

/** The first example in a language on a page, with the address of a service that runs. */
export function exampleOf(page: string, language: string, url: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1];
  if (code === undefined || !code.includes(ADDRESS)) throw new Error(`no example in ${language} names ${ADDRESS}`);
  return code.replaceAll(ADDRESS, url);
}
