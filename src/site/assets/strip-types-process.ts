/**
 * Strips types and comments from the files given as arguments, in their order, and writes the texts to stdout as JSON.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { withoutComments } from './strip-comments.ts';

const files = process.argv.slice(2);
const texts = files.map((file) => withoutComments(stripTypeScriptTypes(readFileSync(file, 'utf8'))));
process.stdout.write(JSON.stringify(texts));
