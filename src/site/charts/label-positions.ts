/** Labels beside the ends of lines, moved apart until none covers another. */

/**
 * The positions nearest to the wanted ones, in the same order, at least `distance` apart and within half a distance of
 * 0 and 1. The labels must fit: `wanted.length * distance <= 1`.
 */
export function spreadApart(wanted: readonly number[], distance: number): number[] {
  const order = wanted.map((position, index) => ({ position, index })).sort((a, b) => a.position - b.position);
  // Groups of labels that touch: each lies around the mean of what its members want.
  const groups: { members: number; sum: number }[] = [];
  for (const { position } of order) {
    groups.push({ members: 1, sum: position });
    while (groups.length > 1 && overlap(groups.at(-2) as Group, groups.at(-1) as Group, distance)) {
      const [upper, lower] = groups.splice(-2) as [Group, Group];
      groups.push({ members: upper.members + lower.members, sum: upper.sum + lower.sum });
    }
  }
  const placed: number[] = [];
  const starts = groups.flatMap((group) =>
    Array.from({ length: group.members }, (_, n) => firstOf(group, distance) + n * distance),
  );
  for (const [n, { index }] of order.entries()) placed[index] = starts[n] as number;
  return placed;
}

type Group = { readonly members: number; readonly sum: number };

/** The position of the first label of a group, kept inside the picture. */
function firstOf({ members, sum }: Group, distance: number): number {
  const length = (members - 1) * distance;
  return Math.min(Math.max(sum / members - length / 2, distance / 2), 1 - distance / 2 - length);
}

function overlap(upper: Group, lower: Group, distance: number): boolean {
  return firstOf(upper, distance) + upper.members * distance > firstOf(lower, distance) + 1e-9;
}
