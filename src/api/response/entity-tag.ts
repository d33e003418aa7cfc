/** Entity tags: whether a client has an answer already. */

/** Whether `If-None-Match` names the tag. Source: RFC 9110, 13.1.2; a tag of ours has no comma. */
export function matchesTag(ifNoneMatch: string | undefined, own: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((each) => each.trim() === '*' || opaque(each) === opaque(own));
}
