/** Loads the HTTP client with whatever imports this, where waiting for the first request would hold up others. */
import 'undici';
