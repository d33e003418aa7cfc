/**
 * Import this to load the HTTP client at once. Otherwise the first request loads it, and blocks the event loop for
 * 50 to 90 ms.
 */
import 'undici';
