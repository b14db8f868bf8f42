import type { Area, Route } from './route.ts';

/** What is known about a path that no route of its method took. */
export interface KnownPath {
  readonly area: Area;
  /** For the Allow header: `GET, HEAD, POST`. */
  readonly allow: string;
}

const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answers for paths, whatever the method: tells 404 from 405. Not on the hot path. */
export class RouteIndex {
  private readonly patterns: { pattern: RegExp; area: Area; methods: Set<string> }[] = [];

  constructor(routes: readonly Route[]) {
    const byPath = new Map<string, { area: Area; methods: Set<string> }>();
    for (const { path, area, method } of routes) {
      const pattern = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
      const known = byPath.get(pattern) ?? { area, methods: new Set(['OPTIONS']) };
      if (known.methods.has(method)) throw new Error(`${method} ${path} is declared twice`);
      known.methods.add(method);
      if (method === 'GET') known.methods.add('HEAD');
      byPath.set(pattern, known);
    }
    for (const [pattern, known] of byPath) {
      this.patterns.push({ pattern: new RegExp(`^${pattern}$`), ...known });
    }
  }

  find(path: string): KnownPath | undefined {
    const found = this.patterns.filter(({ pattern }) => pattern.test(path));
    const [first] = found;
    if (first === undefined) return undefined;
    const methods = new Set(found.flatMap((known) => [...known.methods]));
    return {
      area: first.area,
      allow: METHOD_ORDER.filter((method) => methods.has(method)).join(', '),
    };
  }
}
