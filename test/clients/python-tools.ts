/** The programs that check the client for Python: those of this machine, else Debian's. */
import { findProgram, installDebianPackages } from '../support/debian-packages.ts';
import { canRun, pythonThatRuns } from '../support/python.ts';

const PACKAGES = ['python3', 'python3-venv', 'python3-hatchling', 'mypy'];
const VERSIONS = [9, 10, 11, 12, 13, 14].map((minor) => `python3.${minor}`);

export type PythonTools = {
  /** Every Python that the client supports and this machine has. */
  readonly pythons: readonly string[];
  readonly mypy: string;
  /** A Python with `hatchling`, which builds the package, and `venv`. */
  readonly builder: string;
};

/** Finds the programs, or installs them with apt-get; throws a sentence that says what is missing. */
export function pythonTools(): PythonTools {
  const found = find() ?? (installDebianPackages(PACKAGES) ? find() : null);
  if (found !== null) return found;
  throw new Error(`the test of the client for Python needs ${PACKAGES.join(', ')}: install them, then try again`);
}

function find(): PythonTools | null {
  const mypy = findProgram(['mypy']);
  const all = ['python3', ...VERSIONS].flatMap((name) => findProgram([name]) ?? []);
  const builder = pythonThatRuns('import hatchling.build, ensurepip');
  if (mypy === null || builder === undefined) return null;
  return {
    mypy,
    builder,
    pythons: all.filter((python) => canRun(python, 'import sys; assert sys.version_info >= (3, 9)')),
  };
}
