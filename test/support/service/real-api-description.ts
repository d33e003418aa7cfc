/** The description of the API that the documentation pages are made from. */
import { TestService } from './test-service.ts';

const service = await TestService.start();
export const API_DESCRIPTION = service.api.description;
await service.api.close();
