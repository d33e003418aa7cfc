/** buildah and podman with runc, from Debian, as root; a base for images that comes from Debian too. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';
import { runProgram } from '../../support/processes/run-program.ts';

const PACKAGES = ['buildah', 'podman', 'runc', 'mmdebstrap'];
/** What the tests name the image of Pompa. */
export const IMAGE = 'localhost/pompa-test';
/** Of the kind of `debian:bookworm-slim`, with what the build would install by the network. */
const BASE = 'localhost/pompa-test-base:bookworm-2';
const BASE_PACKAGES = '--include=libstdc++6,libatomic1,rclone,age,ca-certificates';

/** crun needs cgroups that some machines lack; a container engine may not raise limits everywhere. */
const CONFIGURATION = `[containers]
default_ulimits=["nofile=4096:4096","nproc=4096:4096"]
[engine]
runtime="runc"
`;

export type ContainerResult = { readonly code: number | null; readonly out: string; readonly err: string };

export type Digests = { readonly image: string; readonly layers: string };

export type Containers = {
  /** Builds an image from nothing; the context is a folder, the file is in it. */
  build(context: string, tag: string, format: 'docker' | 'oci', file?: string): Promise<Digests>;
  /** Bytes of the image, unpacked. */
  size(tag: string): Promise<number>;
  /** What `podman run --rm` with these arguments writes. */
  run(args: readonly string[]): Promise<ContainerResult>;
  /** A container that runs until it is stopped. */
  start(args: readonly string[]): ChildProcess;
  podman(args: readonly string[]): Promise<string>;
};

/** Installs the programs where they are missing, and makes the base once a machine. */
export async function prepareContainers(folder: string): Promise<Containers> {
  const isMissing = () => PACKAGES.some((name) => findProgram([name]) === null);
  assert.ok(
    !isMissing() || (installDebianPackages(PACKAGES) && !isMissing()),
    `these tests need ${PACKAGES.join(', ')} on the PATH: install them as root, then try again`,
  );
  const configuration = path.join(folder, 'containers.conf');
  writeFileSync(configuration, CONFIGURATION);
  const env = { CONTAINERS_CONF: configuration };
  const podman = (args: readonly string[]) => runProgram(['podman', ...args], { cwd: folder, env });
  // Health checks would be timers of systemd; the test asks for them itself.
  const start = (args: readonly string[]) =>
    spawn('podman', ['run', '--rm', '--health-interval=disable', ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  await makeBase(folder, env, podman);
  return {
    podman,
    start,
    async build(context, tag, format, file = 'Containerfile') {
      const parent = file === 'Containerfile' ? [] : ['--build-arg', `POMPA=${IMAGE}`];
      const times = ['--timestamp', '1700000000', '--no-cache'];
      const from = ['--isolation', 'chroot', '--build-arg', `BASE=${BASE}`, ...parent];
      const made = ['buildah', 'bud', ...from, ...times, '--format', format, '-t', tag, '-f', file, '.'];
      await runProgram(made, { cwd: context, env });
      const digest = async (field: string) => (await podman(['image', 'inspect', '--format', field, tag])).trim();
      return { image: await digest('{{.Digest}}'), layers: await digest('{{.RootFS.Layers}}') };
    },
    size: async (tag) => Number(await podman(['image', 'inspect', '--format', '{{.Size}}', tag])),
    async run(args) {
      const child = start(args);
      const ended = once(child, 'close');
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, out, err };
    },
  };
}

async function makeBase(
  folder: string,
  env: NodeJS.ProcessEnv,
  podman: (args: readonly string[]) => Promise<string>,
): Promise<void> {
  if (spawnSync('podman', ['image', 'exists', BASE], { env: { ...process.env, ...env } }).status === 0) return;
  const file = path.join(folder, 'base.tar');
  const command = ['mmdebstrap', '--variant=minbase', BASE_PACKAGES, '--dpkgopt=force-unsafe-io', 'bookworm', file];
  await runProgram(command, { cwd: folder });
  await podman(['import', '--quiet', file, BASE]);
}
