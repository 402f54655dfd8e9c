import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Engine } from './engine/engine.ts';
import { RequestQueue } from './engine/request-queue.ts';
import { maintain, type MaintenanceOrder } from './maintenance.ts';
import type { FromWorker, Request } from './rpc.ts';

/**
 * Entry of the store's threads. Without an order: the one that owns the database connection and
 * answers the store's requests. With one: a thread that checks and copies the database beside it.
 */
function start(): void {
  const port = parentPort;
  if (isMainThread || port === null) return;
  const order = workerData as MaintenanceOrder | undefined;
  if (order?.role === 'maintenance') {
    void maintain(order).then((report) => port.postMessage(report));
    return;
  }
  const send = (message: FromWorker): void => port.postMessage(message);
  const engine = new Engine((problem) => send({ type: 'problem', problem }));
  const queue = new RequestQueue(
    engine,
    (replies) => send({ type: 'replies', replies }),
    () => receiveMessageOnPort(port)?.message as Request | undefined,
  );
  port.on('message', (request: Request) => void queue.push(request));
}

start();
