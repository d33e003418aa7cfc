/**
 * Writes the generated parts of the clients in `clients/` from the description of the API:
 * `node clients/generator/generate.ts`. A test fails when the files differ from it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { realOpenApiDocument } from '../../test/support/service/real-api-description.ts';
import { printPython } from './python-printer.ts';
import { type OpenApiDocument, readApi } from './read-api.ts';
import { printTypeScript } from './typescript-printer.ts';

/** The expected text of every generated file, by its path in the project. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const api = readApi(realOpenApiDocument() as OpenApiDocument);
  return {
    ...below('clients/typescript/src', printTypeScript(api)),
    ...below('clients/python/src/pompa_client', printPython(api)),
  };
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(generatedFiles())) {
    writeFileSync(path.resolve(import.meta.dirname, '../..', name), text);
    console.log(`${name} written`);
  }
}
