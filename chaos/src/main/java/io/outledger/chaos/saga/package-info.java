// SPDX-License-Identifier: Apache-2.0
/**
 * Sagas under {@code kill -9}: processes that run the same saga are killed again and again, and
 * then each saga is judged by its rows, its effects and its messages. Behind {@code chaos/sagas}.
 */
@NullMarked
package io.outledger.chaos.saga;

import org.jspecify.annotations.NullMarked;
