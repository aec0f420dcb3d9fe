//go:build !linux

package run

import "errors"

func retiredCounter() (read func() uint64, closeCounter func(), err error) {
	return nil, nil, errors.ErrUnsupported
}
