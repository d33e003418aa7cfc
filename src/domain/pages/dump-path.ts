/** Below which the files of open data lie. */
export const DUMP_PATH = '/date/v1/';
