// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

/** Of the documented example. */
public record ParcelArrived(String id, String where) {}
