# syntax=docker/dockerfile:1

FROM node:20-bookworm AS build
WORKDIR /app
# The compiler is for better-sqlite3 where no prebuilt binary fits.
RUN apt-get update \
  && apt-get install -y --no-install-recommends build-essential python3 \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY tools ./tools
COPY core ./core
COPY persistence ./persistence
COPY gateway ./gateway
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=9000 \
    DATA_DIR=/data \
    DEMO=off
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME ["/data"]
EXPOSE 9000
# Recovery after a crash replays the journal before the server answers.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Node runs as process 1 and handles SIGTERM itself: it finishes what it took, snapshots and exits 0.
CMD ["node", "dist/gateway/main.js"]
