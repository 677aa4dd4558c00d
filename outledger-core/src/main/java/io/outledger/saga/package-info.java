// SPDX-License-Identifier: Apache-2.0
/**
 * Sagas: processes of several messages, each with a state that the messages of its key move. Users
 * need {@link io.outledger.saga.Saga}, {@link io.outledger.saga.SagaBuilder} and {@link
 * io.outledger.saga.SagaStep}. No I/O: where states are kept is a {@link
 * io.outledger.saga.SagaStore}, of a database or of a test.
 */
@NullMarked
package io.outledger.saga;

import org.jspecify.annotations.NullMarked;
