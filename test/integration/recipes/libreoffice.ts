/** A LibreOffice Calc without a window, set to Romanian, that does what a reader does by hand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';
import { runProgram } from '../../support/processes/run-program.ts';

const PACKAGE = 'libreoffice-calc-nogui';

/** A cell: what it shows, and whether that is a number (or a date), a text, a formula or nothing. */
export type Cell = { readonly kind: 'empty' | 'number' | 'text' | 'formula'; readonly shown: string };
const KINDS = ['empty', 'number', 'text', 'formula'] as const;

export type Calc = {
  /** The environment in which the command `soffice` has the same settings. */
  readonly env: NodeJS.ProcessEnv;
  /** Types formulas into the cells of a new sheet. */
  readonly typed: (formulas: readonly string[]) => Promise<Cell[]>;
  /** Links a new sheet to an address, read with these filter options. */
  readonly linked: (address: string, filterOptions: string) => Promise<Cell[][]>;
  /** Opens a file. */
  readonly opened: (file: string) => Promise<Cell[][]>;
};

/** Prepares it, with its settings in a folder; throws a sentence that says what is missing. */
export async function libreOffice(folder: string): Promise<Calc> {
  const program = findSoffice();
  const user = path.join(folder, '.config/libreoffice/4/user');
  const module = path.join(user, 'basic/Standard/Recipe.xba');
  const output = path.join(folder, 'cells.txt');
  const env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, '.config') };
  const run = (...args: string[]) =>
    runProgram([program, '--headless', '--norestore', '--nologo', ...args], { cwd: folder, env });
  mkdirSync(user, { recursive: true });
  writeFileSync(path.join(user, 'registrymodifications.xcu'), SETTINGS);
  // The first start adds to the settings, and replaces all macros by empty ones.
  writeFileSync(path.join(folder, 'first.csv'), '1');
  await run('--convert-to', 'ods', 'first.csv');
  writeFileSync(path.join(user, 'basic/script.xlc'), LIBRARIES);
  writeFileSync(path.join(user, 'basic/Standard/script.xlb'), LIBRARY);
  const cellsAfter = async (document: string, statements: readonly string[]): Promise<Cell[][]> => {
    writeFileSync(module, macroModule(macro(document, statements, output)));
    await run('macro:///Standard.Recipe.Run');
    return readFileSync(output, 'utf8').trimEnd().split('\n').map(cellsOf);
  };
  return {
    env,
    typed: async (formulas) => {
      const typing = formulas.map(
        (formula, at) => `sheet.getCellByPosition(${at}, 0).FormulaLocal = ${quoted(formula)}`,
      );
      return (await cellsAfter(NEW, typing))[0] ?? [];
    },
    linked: (address, filterOptions) =>
      cellsAfter(NEW, [
        'Dim corner As New com.sun.star.table.CellAddress',
        `doc.AreaLinks.insertAtPosition(corner, ${[address, 'CSV_all', CSV_FILTER, filterOptions].map(quoted).join(', ')})`,
      ]),
    opened: (file) => cellsAfter(pathToFileURL(file).href, []),
  };
}

const NEW = 'private:factory/scalc';
const CSV_FILTER = 'Text - txt - csv (StarCalc)';
const BETWEEN = '\t';

function findSoffice(): string {
  const find = () => findProgram(['soffice']);
  const program = find() ?? (installDebianPackages([PACKAGE]) ? find() : null);
  if (program === null) throw new Error(`the test of LibreOffice needs ${PACKAGE}: install it, then try again`);
  return program;
}

function cellsOf(line: string): Cell[] {
  return line.split(BETWEEN).map((cell) => ({ kind: KINDS[Number(cell[0])] ?? 'empty', shown: cell.slice(1) }));
}

/** Opens the document, runs the statements, and writes every used cell of the first sheet into a file. */
function macro(document: string, statements: readonly string[], output: string): string {
  return `Sub Run
  On Error Goto Failed
  Open ${quoted(output)} For Output As #1
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  doc = StarDesktop.loadComponentFromURL(${quoted(document)}, "_blank", 0, hidden())
  sheet = doc.Sheets.getByIndex(0)
  ${statements.join('\n  ')}
  used = sheet.createCursor()
  used.gotoEndOfUsedArea(False)
  For row = 0 To used.RangeAddress.EndRow
    cells = ""
    For column = 0 To used.RangeAddress.EndColumn
      cell = sheet.getCellByPosition(column, row)
      If column > 0 Then cells = cells & Chr(9)
      cells = cells & CStr(cell.Type) & cell.String
    Next
    Print #1, cells
  Next
  Goto Ended
Failed:
  Print #1, "error in line " & Erl & ": " & Error
Ended:
  Close #1
  StarDesktop.terminate()
End Sub
`;
}

/** A text in Basic. */
function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

function macroModule(code: string): string {
  const text = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Recipe" script:language="StarBasic">${text}</script:module>
`;
}

const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>ro-RO</value></prop></item>
</oor:items>
`;
const LIBRARIES = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:libraries PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "libraries.dtd">
<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink">
<library:library library:name="Standard" xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/>
</library:libraries>
`;
const LIBRARY = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
<library:element library:name="Recipe"/>
</library:library>
`;
