// SPDX-License-Identifier: Apache-2.0
/**
 * Private real servers on loopback for tests, the demo, chaos runs and benchmarks.
 *
 * <p>This package exists so that nothing is claimed that was not seen on a real server that was
 * really killed. Every server binds 127.0.0.1 on a free port, lives in a folder of its own, and is
 * stopped and deleted when it is closed or when the JVM ends, even by SIGKILL where the system
 * allows it. Most callers need {@link io.outledger.servers.Postgres}, {@link
 * io.outledger.servers.KafkaBroker} and {@link io.outledger.servers.Await}.
 */
@NullMarked
package io.outledger.servers;

import org.jspecify.annotations.NullMarked;
