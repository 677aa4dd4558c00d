// SPDX-License-Identifier: Apache-2.0
/** Tests of the log that cannot be flooded. */
@NullMarked
package io.outledger.log;

import org.jspecify.annotations.NullMarked;
