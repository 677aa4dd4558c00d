// SPDX-License-Identifier: Apache-2.0
/** The bridge to Spring Modulith, on another line than that which it was compiled against. */
@NullMarked
package io.outledger.spring.modulith21;

import org.jspecify.annotations.NullMarked;
