// SPDX-License-Identifier: Apache-2.0
/** Events as JSON with Jackson 3, with settings that do not let data choose classes. */
@NullMarked
package io.outledger.jackson3;

import org.jspecify.annotations.NullMarked;
