/** The API as its declarations describe it to the documentation pages. */
import { Service } from './service.ts';

const service = await Service.start();
export const API_DESCRIPTION = service.api.description;
await service.api.close();
