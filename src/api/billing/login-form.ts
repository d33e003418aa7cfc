/** The form that asks for a link and a code: wherever somebody must log in. */
import type { LoginReturn } from '../../domain/billing/login-return.ts';
import type { LoginProblem, LoginView } from '../../domain/billing/login-view.ts';
import type { Language } from '../../domain/localized-text.ts';

/** Its view, with what was typed and what is wrong. */
export function loginForm(
  language: Language,
  email = '',
  problems: readonly LoginProblem[] = [],
  returnTo: LoginReturn | null = null,
): LoginView {
  return { page: 'log in', language, step: 'form', email, problems, returnTo };
}
