/**
 * "Copy" buttons: each copies the text of the element that it names. They are hidden where they cannot: the text is
 * there to be selected.
 */

/** Shows a button and lets it copy. */
export function startCopyButton(button: HTMLButtonElement): void {
  const source = button.ownerDocument.getElementById(button.dataset.copies ?? '');
  const status = button.nextElementSibling;
  if (source === null || status === null) return;
  button.classList.remove('needs-code');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
      status.textContent = button.dataset.done ?? '';
    } catch {
      // Without permission the keyboard still copies what is selected.
      getSelection()?.selectAllChildren(source);
      status.textContent = button.dataset.failed ?? '';
    }
  });
}

if (typeof document !== 'undefined' && isSecureContext && 'clipboard' in navigator)
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copies]')) startCopyButton(button);
