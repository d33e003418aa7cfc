/** Strips the types from the files given as arguments, in their order, and writes the texts to stdout as JSON. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const files = process.argv.slice(2);
process.stdout.write(JSON.stringify(files.map((file) => stripTypeScriptTypes(readFileSync(file, 'utf8')))));
