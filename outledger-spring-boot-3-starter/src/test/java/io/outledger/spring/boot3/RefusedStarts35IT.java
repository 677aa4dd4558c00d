// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.RefusedStartsContract;

/** What a failed start says on this line of Spring Boot. */
class RefusedStarts35IT extends RefusedStartsContract {}
