// SPDX-License-Identifier: Apache-2.0
/** Spring Data's two annotations under their own names, so that tests need nothing else of it. */
@NullMarked
package org.springframework.data.domain;

import org.jspecify.annotations.NullMarked;
